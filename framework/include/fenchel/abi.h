/* fenchel plugin interface, version 1. Pure C: compiles as C11 and as C++20.
 *
 * This header is the specification of the boundary between the host and a plugin.
 *
 *   minimise over w   J(w) = Omega(w) + (1/n) sum_i phi_i(z_i),     z = A w
 *
 * A loss sees only score blocks z_i and targets. A regularizer sees only parameters w. A solver
 * reaches both, and the linear map A, through the table `fenchel_problem` that the host hands it.
 *
 * Rules
 *   Export   a library exports one unmangled symbol, `fenchel_plugin` (see the end of this file).
 *   Growth   every struct begins with its size in bytes and only ever grows at its end. A reader
 *            looks at a member only if `struct_size` covers it. Enumerations only grow.
 *   Strings  UTF-8, zero-terminated, owned by who made them, alive until the library is left
 *            (which is never before the program ends) or, in a call, until the call returns.
 *   Errors   no C++ exception crosses. A call that can fail returns FENCHEL_OK or FENCHEL_FAILED;
 *            after a failure the host asks `explain` of the same plugin, on the same thread.
 *   Threads  [any] may be called from several threads at once on one instance and must not write
 *            to it; [one] is called by one thread at a time. Plugins start no threads.
 *   Memory   [any] calls allocate nothing. Each side frees what it allocated.
 *   Growth by name   an optional oracle is asked for by name and revision; null means "none".
 */
#ifndef FENCHEL_ABI_H
#define FENCHEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FENCHEL_ABI_MAJOR 1u /* differs: the host refuses the plugin */
#define FENCHEL_ABI_MINOR 0u /* the host accepts any minor up to its own */

#if defined(_WIN32)
#define FENCHEL_EXPORT __declspec(dllexport)
#else
#define FENCHEL_EXPORT __attribute__((visibility("default")))
#endif

enum { FENCHEL_OK = 0, FENCHEL_FAILED = 1, FENCHEL_END = 2 };

/* What a plugin is. */
enum { FENCHEL_KIND_LOSS = 1, FENCHEL_KIND_REGULARIZER = 2, FENCHEL_KIND_SOLVER = 3 };

/* ---- Parameters ------------------------------------------------------------------------------ */

enum {
  FENCHEL_NUMBER = 1,  /* a finite double                                 */
  FENCHEL_INTEGER = 2, /* a 64-bit integer                                */
  FENCHEL_FLAG = 3,    /* true or false, in `integer`                     */
  FENCHEL_TEXT = 4,    /* a string; with a range of words, one of them    */
  FENCHEL_NUMBERS = 5  /* a list of finite doubles                        */
};

typedef struct fenchel_param {
  uint32_t struct_size;
  int32_t type;
  const char* name;     /* kebab-case key in the spec                                          */
  const char* fallback; /* the default, written as in a spec ("0.1"); null: the spec must say  */
  const char* range;    /* "(0, inf)", "[1, 5]", "fixed | backtracking"; null: anything goes   */
  const char* meaning;  /* one line for people                                                 */
} fenchel_param;

/* A checked parameter: of the declared type, within the declared range. */
typedef struct fenchel_value {
  uint32_t struct_size;
  int32_t type;
  double number;   /* NUMBER and INTEGER                       */
  int64_t integer; /* INTEGER and FLAG                         */
  const char* text;
  const double* numbers;
  int64_t count; /* of numbers                               */
} fenchel_value;

/* ---- The sizes of a problem ------------------------------------------------------------------ */

typedef struct fenchel_shape {
  uint32_t struct_size;
  int32_t outputs;      /* scores a data row yields: 1, or the number of classes */
  int64_t blocks;       /* n                                                     */
  int64_t scores;       /* length of z, over all blocks                          */
  int64_t widest_block; /* scores in the largest block                           */
  int64_t parameters;   /* length of w                                           */
  int64_t features;     /* columns of the data, a bias column included           */
  int64_t entries;      /* stored entries of the data matrix                     */
  /* Sequences: which labels may follow which. (outputs + 1) x outputs, row j what may follow label
   * j, the last row what may begin; 1 allowed, 0 not. Null: all may. Alive as the shape is. */
  const uint8_t* transitions;
} fenchel_shape;

/* ---- Facts ----------------------------------------------------------------------------------- */

enum { FENCHEL_UNKNOWN = 0, FENCHEL_KNOWN = 1, FENCHEL_ABSENT = 2 };

enum { FENCHEL_NORM_L2 = 0, FENCHEL_NORM_L1 = 1, FENCHEL_NORM_LINF = 2 };

/* KNOWN: `value` is a proven bound. ABSENT: proven that there is none. UNKNOWN: nothing is claimed.
 */
typedef struct fenchel_fact {
  uint32_t struct_size;
  int32_t state;
  int32_t norm;
  int32_t reserved;
  double value;
} fenchel_fact;

/* Fact ids. A loss's constants are those of one block phi_i, without the 1/n. */
enum {
  FENCHEL_FACT_CONVEX = 1,     /* value 1                                                    */
  FENCHEL_FACT_LIPSCHITZ = 2,  /* |f(a) - f(b)| <= value |a - b|                             */
  FENCHEL_FACT_SMOOTHNESS = 3, /* the gradient is Lipschitz with this constant               */
  FENCHEL_FACT_STRONG_CONVEXITY = 4, /* f - (value/2)|.|^2 is convex; value > 0 */
  FENCHEL_FACT_DUAL_RADIUS = 5,   /* dom f* lies in the ball of this radius around 0            */
  FENCHEL_FACT_DOMAIN_RADIUS = 6, /* dom f lies in the ball of this radius around 0             */
  FENCHEL_FACT_SEPARABLE = 7,     /* a sum over coordinates: every oracle works on any subset   */
  FENCHEL_FACT_QUADRATIC = 8,     /* f(w) = (value/2)|w|^2 exactly; value > 0 */
  FENCHEL_FACT_LOWER_BOUND = 9,   /* f >= value everywhere                                      */
  FENCHEL_FACT_GROWTH = 10,       /* f(w) - f(0) >= value |w|; value >= 0                       */
  FENCHEL_FACT_ENTROPY = 11,      /* parameter `temperature` t changes f by at most t value     */
  FENCHEL_FACT_CONJUGATE_SLACK = 12, /* the conjugate is an upper bound of f*, at most this above
                                        it; not known: it is f* itself */

  /* Which oracles a part has: KNOWN with value 1, or ABSENT. The host answers these itself. */
  FENCHEL_FACT_HAS_GRADIENT = 64,
  FENCHEL_FACT_HAS_CONJUGATE = 65,
  FENCHEL_FACT_HAS_PROX = 66,
  FENCHEL_FACT_HAS_CONJUGATE_GRADIENT = 67,
  FENCHEL_FACT_HAS_MIRROR_STEP = 68,

  /* Of the problem as a whole; measured or derived by the host. */
  FENCHEL_FACT_BLOCKS = 128,            /* n                                                     */
  FENCHEL_FACT_BLOCK_NORM = 129,        /* R = max_i |A_i|, the operator norm of block i          */
  FENCHEL_FACT_MEAN_SQUARED_NORM = 130, /* (1/n) sum_i |A_i|^2                                   */
  FENCHEL_FACT_OPERATOR_NORM = 131,     /* an upper bound on |A|                                 */
  FENCHEL_FACT_RISK_SMOOTHNESS = 132,   /* of w -> L(A w)                                        */
  FENCHEL_FACT_RISK_LIPSCHITZ = 133,    /* of w -> L(A w)                                        */
  FENCHEL_FACT_RISK_STRONG_CONVEXITY = 134, /* of w -> L(A w)                                     */
  FENCHEL_FACT_ROW_VIEW = 135,   /* A is a matrix whose rows can be viewed, one per block */
  FENCHEL_FACT_BLOCK_WIDTH = 136 /* every block has this many scores                      */
};

/* ---- Losses ---------------------------------------------------------------------------------- */

/* What a loss takes as targets. */
enum {
  FENCHEL_TARGET_NONE = 0,
  FENCHEL_TARGET_BINARY = 1, /* -1 or +1                                       */
  FENCHEL_TARGET_REAL = 2,
  FENCHEL_TARGET_CLASS = 3,   /* 0 .. outputs - 1                               */
  FENCHEL_TARGET_SEQUENCE = 4 /* one class a position                           */
};

/* How the scores are cut into blocks. */
enum {
  FENCHEL_LAYOUT_SCALAR = 1,  /* one score a data row, each a block of its own                    */
  FENCHEL_LAYOUT_OUTPUTS = 2, /* `outputs` scores a data row, each row a block                    */
  FENCHEL_LAYOUT_WHOLE = 3,   /* one score a data row, all of them one block                      */
  FENCHEL_LAYOUT_CHAIN = 4 /* a sequence a block: T x k position scores, then k x k transitions */
};

/* Consecutive blocks. Block b (0 <= b < count) has its scores at offsets[b] - offsets[0] .. (or at
 * b * width where offsets is null), in every score-shaped array of the same call; likewise its
 * targets. */
typedef struct fenchel_batch {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t first; /* number of the first block within the whole problem */
  int64_t count;
  int64_t width;
  const int64_t* offsets;
  const double* targets;
  int64_t target_width;
  const int64_t* target_offsets;
  double* scratch; /* at least `scratch` doubles, see fenchel_loss */
} fenchel_batch;

/* All [any]. Null where absent, except fact, value and gradient. */
typedef struct fenchel_loss {
  uint32_t struct_size;
  int32_t targets; /* FENCHEL_TARGET_... */
  int32_t layout;  /* FENCHEL_LAYOUT_... */
  int32_t reserved;
  void (*fact)(const void* self, int32_t id, fenchel_fact* out);
  /* values[b] = phi_b(scores_b) */
  int32_t (*value)(const void* self, const fenchel_batch*, const double* scores, double* values);
  /* a gradient, or a subgradient where there is a kink; score-shaped */
  int32_t (*gradient)(const void* self, const fenchel_batch*, const double* scores, double* out);
  /* values[b] = phi_b*(duals_b), +infinity outside its domain */
  int32_t (*conjugate)(const void* self, const fenchel_batch*, const double* duals, double* values);
  /* out_b = argmin_x phi_b(x) + |x - scores_b|^2 / (2 steps[b]) */
  int32_t (*prox)(const void* self, const fenchel_batch*, const double* scores, const double* steps,
                  double* out);
  /* Moves duals_b to the nearest point of dom phi_b*. Null: the domain is the whole space. */
  int32_t (*project_dual)(const void* self, const fenchel_batch*, double* duals);
  /* Doubles of scratch that a batch needs. Null: none. */
  int64_t (*scratch)(const void* self, const fenchel_shape*);
  /* An optional oracle table. Null, or returning null: none. */
  const void* (*oracle)(const char* name, uint32_t revision);
} fenchel_loss;

/* Optional oracle of a loss that is a minimum over a bias, phi(z) = min_b f(z + b), by the name
 * "bias", revision 1. The host adds b to the scores that a model predicts from. [any] */
typedef struct fenchel_bias_oracle {
  uint32_t struct_size;
  uint32_t reserved;
  /* values[b] = the minimising bias of block b at these scores */
  int32_t (*bias)(const void* self, const fenchel_batch*, const double* scores, double* values);
} fenchel_bias_oracle;

/* Optional oracle of a loss that predicts something else than the scores show by their sign or
 * their largest entry (a sequence), by the name "decode", revision 1. The batch has no targets.
 * [any] */
typedef struct fenchel_decode_oracle {
  uint32_t struct_size;
  uint32_t reserved;
  /* out: the best prediction at these scores, target-shaped */
  int32_t (*decode)(const void* self, const fenchel_batch*, const double* scores, double* out);
  /* out: position by position the probability of each of `outputs` labels. Null: it has none. */
  int32_t (*marginals)(const void* self, const fenchel_batch*, const double* scores, double* out);
} fenchel_decode_oracle;

/* Optional oracle of a loss that finds its value on the way to its gradient (a sequence's), by the
 * name "value-gradient", revision 1: both in one call. [any] */
typedef struct fenchel_value_gradient_oracle {
  uint32_t struct_size;
  uint32_t reserved;
  /* values and out as those of `value` and `gradient` */
  int32_t (*value_gradient)(const void* self, const fenchel_batch*, const double* scores,
                            double* values, double* out);
} fenchel_value_gradient_oracle;

/* ---- Regularizers ---------------------------------------------------------------------------- */

/* Which coordinates of w the arrays of a call hold: entry k is coordinate list[k], or begin + k
 * where list is null; coordinates increase. A regularizer that is not separable only ever sees all.
 */
typedef struct fenchel_coords {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t begin;
  int64_t count;
  const int32_t* list;
} fenchel_coords;

/* All [any]. `out` may be the input array. Null where absent, except fact and value. */
typedef struct fenchel_regularizer {
  uint32_t struct_size;
  uint32_t reserved;
  void (*fact)(const void* self, int32_t id, fenchel_fact* out);
  int32_t (*value)(const void* self, const fenchel_coords*, const double* w, double* value);
  /* out = argmin_x Omega(x) + |x - w|^2 / (2 step) */
  int32_t (*prox)(const void* self, const fenchel_coords*, const double* w, double step,
                  double* out);
  /* Omega*(v), +infinity outside its domain */
  int32_t (*conjugate)(const void* self, const fenchel_coords*, const double* v, double* value);
  /* out = argmax_w <v, w> - Omega(w), where it is unique */
  int32_t (*conjugate_gradient)(const void* self, const fenchel_coords*, const double* v,
                                double* out);
  /* the largest s in [0, 1] with s v in dom Omega* */
  int32_t (*dual_scale)(const void* self, const fenchel_coords*, const double* v, double* scale);
  /* a gradient where Omega is differentiable */
  int32_t (*gradient)(const void* self, const fenchel_coords*, const double* w, double* out);
  const void* (*oracle)(const char* name, uint32_t revision);
} fenchel_regularizer;

/* Distance generating functions other than the Euclidean one. */
enum {
  FENCHEL_DISTANCE_ENTROPY = 1 /* d(x) = sum x_i log(N x_i) on the unit simplex of R^N, 1-strongly
                                  convex w.r.t. l1, least (0) at its middle */
};

/* Optional oracle of a regularizer, by the name "mirror-step", revision 1. [any] All parameters at
 * once. */
typedef struct fenchel_mirror_oracle {
  uint32_t struct_size;
  int32_t distance; /* FENCHEL_DISTANCE_... */
  /* out = argmin_x <p, x> + c d(x) + a Omega(x), for c >= 0, a >= 0, c + a > 0 */
  int32_t (*step)(const void* self, int64_t count, const double* p, double c, double a,
                  double* out);
} fenchel_mirror_oracle;

/* ---- The problem, as a solver sees it -------------------------------------------------------- */

/* Rows of a matrix, without a copy. Sparse: row i has its columns and values at starts[i] ..
 * starts[i + 1]. Dense (columns null): row i has `width` values from i * width. Row i is block i.
 */
typedef struct fenchel_rows {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t count;
  int64_t width;
  const int64_t* starts;
  const int32_t* columns;
  const double* values;
  const double* squared_norms; /* one a row */
} fenchel_rows;

/* Which part of the problem a fact or a requirement is about. */
enum { FENCHEL_ABOUT_LOSS = 1, FENCHEL_ABOUT_REGULARIZER = 2, FENCHEL_ABOUT_PROBLEM = 3 };

/* Calls are [one], made by the solver from within start, step or view, and run on the host's
 * threads. Failures of a part surface at the host: the solver just returns FENCHEL_FAILED too. */
typedef struct fenchel_problem {
  uint32_t struct_size;
  int32_t resumed; /* 1: the arrays below come back filled as they were at the checkpoint */
  void* context;   /* first argument of every call */
  const fenchel_shape* shape;
  uint64_t seed;
  double target_gap;          /* absolute; 0 where none was asked for */
  double target_relative_gap; /* likewise                             */
  const double* warm_weights; /* a point to start from, or null       */
  const double* warm_dual;    /* likewise, score-shaped               */

  void (*fact)(void* context, int32_t about, int32_t id, fenchel_fact* out);

  /* The linear map. Both count as half a pass. */
  int32_t (*apply)(void* context, const double* w, double* scores);    /* z = A w           */
  int32_t (*adjoint)(void* context, const double* duals, double* out); /* v = (1/n) A^T a   */

  /* The loss over all blocks. Gradients and proxes are those of phi_i, without the 1/n. */
  int32_t (*risk)(void* context, const double* scores, double* value); /* (1/n) sum phi_i(z_i) */
  int32_t (*risk_gradient)(void* context, const double* scores, double* gradient, double* value);
  int32_t (*risk_conjugate)(void* context, const double* duals, double* value);
  int32_t (*risk_prox)(void* context, const double* scores, double step, double* out);

  /* The regularizer over all parameters. */
  int32_t (*omega)(void* context, const double* w, double* value);
  int32_t (*omega_prox)(void* context, const double* w, double step, double* out);
  int32_t (*omega_conjugate)(void* context, const double* v, double* value);
  int32_t (*omega_conjugate_gradient)(void* context, const double* v, double* out);

  /* One block at a time, and the parts themselves, for coordinate methods. `batch` is filled for
   * block i; the caller moves nothing but passes it on. */
  int32_t (*block)(void* context, int64_t i, fenchel_batch* batch);
  int32_t (*block_scores)(void* context, int64_t i, const double* w, double* scores); /* A_i w */
  int32_t (*block_add)(void* context, int64_t i, const double* duals, double factor,
                       double* v); /* v += factor A_i^T duals */
  const fenchel_loss* loss;
  const void* loss_self;
  const fenchel_regularizer* regularizer;
  const void* regularizer_self;
  int32_t (*rows)(void* context, fenchel_rows* out); /* FENCHEL_FAILED where A is no matrix */

  /* Tells the host of stored entries read or written through `rows`. apply, adjoint, block_scores
   * and block_add are counted by the host. */
  void (*touched)(void* context, int64_t entries);

  /* A named array of the solver's state: zeros at first, the same memory at every later call with
   * that name, saved in checkpoints. Null if the size differs from that of an earlier call. */
  double* (*numbers)(void* context, const char* name, int64_t count);
  int64_t* (*integers)(void* context, const char* name, int64_t count);

  /* Further host tables by name and revision; null where the host has none. */
  const void* (*extension)(void* context, const char* name, uint32_t revision);
} fenchel_problem;

/* Host table by the name "notes", revision 1: what a solver has to say to people, a sentence each.
 * The host keeps them for the result; `context` is that of the problem. */
typedef struct fenchel_notes {
  uint32_t struct_size;
  uint32_t reserved;
  void (*say)(void* context, const char* text);
} fenchel_notes;

/* ---- Solvers --------------------------------------------------------------------------------- */

enum {
  FENCHEL_RELATION_KNOWN = 1,    /* the fact is known                       */
  FENCHEL_RELATION_AT_LEAST = 2, /* known, and at least `value`             */
  FENCHEL_RELATION_AT_MOST = 3,  /* known, and at most `value`              */
  FENCHEL_RELATION_POSSIBLE = 4  /* not proven absent: known or unknown     */
};

typedef struct fenchel_requirement {
  uint32_t struct_size;
  int32_t about;
  int32_t fact;
  int32_t relation;
  double value;
  int32_t alternative; /* 0: must hold. k > 0: one of those with the same k must hold. */
  int32_t reserved;
  const char* why;
} fenchel_requirement;

enum {
  FENCHEL_STEP_MORE = 0,   /* call again                                                      */
  FENCHEL_STEP_DONE = 1,   /* claims the tolerance; the host checks, and fails a false claim  */
  FENCHEL_STEP_STALLED = 2 /* cannot make progress any more                                 */
};

typedef struct fenchel_view {
  uint32_t struct_size;
  uint32_t reserved;
  const double* weights; /* the current w                                              */
  const double* dual;    /* the current alpha, score-shaped, or null                   */
  const double* scores;  /* A w for exactly these weights, or null                     */
  /* The same alpha as a mixture, sum_j part_weights[j] alpha_j with weights >= 0 of sum 1: the host
   * then bounds phi*(-alpha) by the mean of phi*(-alpha_j), which is all that some losses can tell
   * (phi* of a maximum over very many vertices). Zero parts: none. */
  int64_t parts;
  const double* part_weights;
  int32_t (*part)(void* self, int64_t j, double* dual); /* fills alpha_j, score-shaped */
  const double* own_gap; /* the solver's own bound on J(w) - J*, shown in the trace; null: none */
} fenchel_view;

/* All [one]. */
typedef struct fenchel_solver {
  uint32_t struct_size;
  uint32_t reserved;
  /* Requirement number `index`; FENCHEL_END after the last. They may depend on the parameters. */
  int32_t (*requirement)(const void* self, int32_t index, fenchel_requirement* out);
  /* Once, after the check. `problem` stays valid until destroy. */
  int32_t (*start)(void* self, const fenchel_problem* problem);
  /* About one pass over the data. */
  int32_t (*step)(void* self, int32_t* outcome);
  /* Where it is now; the arrays hold until the next call. */
  int32_t (*view)(void* self, fenchel_view* out);
  const void* (*oracle)(const char* name, uint32_t revision);
} fenchel_solver;

/* Optional oracle of a solver, by the name "rate", revision 1: what its theorem promises. [any] */
typedef struct fenchel_rate_query {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  void (*fact)(void* context, int32_t about, int32_t id, fenchel_fact* out);
  const fenchel_shape* shape;
  double epsilon;  /* the gap to reach, absolute                                        */
  double initial;  /* an upper bound on J(0) - J*, and on D* - D(0); infinity: unknown  */
  double distance; /* an upper bound on |w*|; infinity: unknown                         */
} fenchel_rate_query;

typedef struct fenchel_rate {
  uint32_t struct_size;
  uint32_t reserved;
  double iterations; /* an upper bound, infinity where the theorem says nothing */
  double passes;
  double bytes; /* of state beside the data */
  const char* theorem;
} fenchel_rate;

typedef struct fenchel_rate_oracle {
  uint32_t struct_size;
  uint32_t reserved;
  int32_t (*predict)(const void* self, const fenchel_rate_query* query, fenchel_rate* out);
} fenchel_rate_oracle;

/* ---- The plugin ------------------------------------------------------------------------------ */

typedef struct fenchel_card {
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  int32_t kind;
  const char* id;       /* kebab-case, unique among plugins of its kind */
  const char* version;  /* of the plugin                                */
  const char* summary;  /* one line                                     */
  const char* citation; /* where the mathematics comes from, or null    */
  const fenchel_param* params;
  int64_t param_count;
  const void* table; /* fenchel_loss, fenchel_regularizer or fenchel_solver, by kind */
  /* [any] One instance, or null on failure. values[i] belongs to params[i]. */
  void* (*create)(const fenchel_value* const* values, const fenchel_shape* shape);
  void (*destroy)(void* self);
  /* [any] The reason of the last failure on this thread; null if the plugin keeps none. */
  const char* (*explain)(void);
} fenchel_card;

/* The one exported symbol. Called once, with the host's ABI; returns a card that lives for ever, or
 * null if the plugin cannot serve that host. */
typedef const fenchel_card* (*fenchel_plugin_function)(uint32_t host_abi_major,
                                                       uint32_t host_abi_minor);

#ifdef __cplusplus
}
#endif

#endif /* FENCHEL_ABI_H */
