/* Where every struct of abi.h ends and where its last members stand, as one list of numbers.
 * Included by a C and by a C++ source: both compilers must come to the same list. */
#include <fenchel/abi.h>

#include <stddef.h>

#define STRUCT(type, last) sizeof(type), offsetof(type, last)

static const size_t layout[] = {STRUCT(fenchel_param, meaning),
                                STRUCT(fenchel_value, count),
                                STRUCT(fenchel_shape, transitions),
                                STRUCT(fenchel_fact, value),
                                STRUCT(fenchel_batch, scratch),
                                STRUCT(fenchel_loss, oracle),
                                STRUCT(fenchel_bias_oracle, bias),
                                STRUCT(fenchel_decode_oracle, marginals),
                                STRUCT(fenchel_value_gradient_oracle, value_gradient),
                                STRUCT(fenchel_coords, list),
                                STRUCT(fenchel_regularizer, oracle),
                                STRUCT(fenchel_mirror_oracle, step),
                                STRUCT(fenchel_rows, squared_norms),
                                STRUCT(fenchel_problem, extension),
                                STRUCT(fenchel_notes, say),
                                STRUCT(fenchel_requirement, why),
                                STRUCT(fenchel_view, own_gap),
                                STRUCT(fenchel_solver, oracle),
                                STRUCT(fenchel_card, explain),
                                offsetof(fenchel_batch, targets),
                                offsetof(fenchel_loss, value),
                                offsetof(fenchel_problem, apply),
                                offsetof(fenchel_problem, loss),
                                offsetof(fenchel_problem, numbers),
                                offsetof(fenchel_card, table),
                                sizeof(fenchel_plugin_function),
                                FENCHEL_ABI_MAJOR,
                                FENCHEL_ABI_MINOR};

enum { LAYOUT_COUNT = sizeof layout / sizeof layout[0] };
