# fenchel_add_plugin(KIND ID SOURCE…): builds fenchel-KIND-ID.so, which exports fenchel_plugin alone.
# KIND is loss, regularizer or solver; ID is kebab-case. Sources may be C or C++.
set(FENCHEL_PLUGIN_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map)

function(fenchel_add_plugin kind id)
  if(NOT kind MATCHES "^(loss|regularizer|solver)$")
    message(FATAL_ERROR "fenchel_add_plugin: '${kind}' is no kind: loss, regularizer or solver")
  endif()
  set(target fenchel-${kind}-${id})
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE fenchel::sdk)
  target_link_options(${target} PRIVATE LINKER:--version-script=${FENCHEL_PLUGIN_EXPORTS})
  # A missing symbol shows when linking, not when loading. A sanitizer's runtime is an exception:
  # clang leaves it to the program.
  if(NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES
    PREFIX "" SUFFIX ".so" LINK_DEPENDS ${FENCHEL_PLUGIN_EXPORTS}
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
