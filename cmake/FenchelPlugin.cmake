# fenchel_add_plugin(KIND ID SOURCE…): builds fenchel-KIND-ID.so, which exports fenchel_plugin alone.
# KIND is loss, regularizer or solver. Sources may be C or C++.
set(FENCHEL_PLUGIN_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map)

function(fenchel_add_plugin kind id)
  set(target fenchel-${kind}-${id})
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE fenchel::sdk)
  target_link_options(${target} PRIVATE
    -Wl,--version-script=${FENCHEL_PLUGIN_EXPORTS} -Wl,--no-undefined)
  set_target_properties(${target} PROPERTIES
    PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
