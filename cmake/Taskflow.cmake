# The target `fenchel_taskflow`: Taskflow 3.7, header-only. An installed one is taken first, then the
# tree that `./dev setup` put into FENCHEL_TASKFLOW_DIR and checked by hash.
set(FENCHEL_TASKFLOW_DIR ${PROJECT_SOURCE_DIR}/build/deps/taskflow CACHE PATH
  "A folder that holds taskflow/taskflow.hpp")

find_package(Taskflow 3.7 QUIET)
if(Taskflow_FOUND)
  get_target_property(taskflow_include Taskflow::Taskflow INTERFACE_INCLUDE_DIRECTORIES)
  set(taskflow_origin "installed, version ${Taskflow_VERSION}")
elseif(EXISTS ${FENCHEL_TASKFLOW_DIR}/taskflow/taskflow.hpp)
  set(taskflow_include ${FENCHEL_TASKFLOW_DIR})
  set(taskflow_origin ${FENCHEL_TASKFLOW_DIR})
  file(STRINGS ${taskflow_include}/taskflow/taskflow.hpp taskflow_version
    REGEX "^#define TF_VERSION 3007[0-9][0-9]")
  if(NOT taskflow_version)
    message(FATAL_ERROR "${FENCHEL_TASKFLOW_DIR} is not Taskflow 3.7; "
      "remove it and run ./dev setup, or point FENCHEL_TASKFLOW_DIR at a tree of that version")
  endif()
else()
  message(FATAL_ERROR "Taskflow 3.7 was found neither as an installed package nor in "
    "${FENCHEL_TASKFLOW_DIR}; run ./dev setup, or set FENCHEL_TASKFLOW_DIR")
endif()
message(STATUS "Taskflow: ${taskflow_origin}")

add_library(fenchel_taskflow INTERFACE)
target_include_directories(fenchel_taskflow SYSTEM INTERFACE ${taskflow_include})
