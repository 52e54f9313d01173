/* Pseudo-Huber loss  phi(z; y) = d^2 (sqrt(1 + (r/d)^2) - 1),  r = z - y: a plugin in plain C.
 *
 *   phi'(z) = r / sqrt(1 + (r/d)^2)                    d-Lipschitz, 1-smooth
 *   phi*(u) = u y + d^2 (1 - sqrt(1 - (u/d)^2))        for |u| <= d, +infinity elsewhere
 *   prox    : the root of r + t r / sqrt(1 + (r/d)^2) = s - y
 */
#include <fenchel/abi.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
  double delta;
} pseudo_huber;

static double delta_of(const void* self) { return ((const pseudo_huber*)self)->delta; }

static void fact(const void* self, int32_t id, fenchel_fact* out) {
  out->state = FENCHEL_KNOWN;
  switch (id) {
    case FENCHEL_FACT_CONVEX: out->value = 1.0; break;
    case FENCHEL_FACT_LIPSCHITZ:
    case FENCHEL_FACT_DUAL_RADIUS: out->value = delta_of(self); break;
    case FENCHEL_FACT_SMOOTHNESS: out->value = 1.0; break;
    case FENCHEL_FACT_LOWER_BOUND: out->value = 0.0; break;
    case FENCHEL_FACT_STRONG_CONVEXITY: out->state = FENCHEL_ABSENT; break;
    default: out->state = FENCHEL_UNKNOWN; break;
  }
}

static int32_t value(const void* self, const fenchel_batch* batch, const double* scores,
                     double* values) {
  const double d = delta_of(self);
  for (int64_t b = 0; b < batch->count; ++b) {
    const double q = (scores[b] - batch->targets[b]) / d;
    /* sqrt(1 + q^2) - 1 without cancellation */
    values[b] = d * d * q * q / (1.0 + sqrt(1.0 + q * q));
  }
  return FENCHEL_OK;
}

static int32_t gradient(const void* self, const fenchel_batch* batch, const double* scores,
                        double* out) {
  const double d = delta_of(self);
  for (int64_t b = 0; b < batch->count; ++b) {
    const double r = scores[b] - batch->targets[b];
    out[b] = r / sqrt(1.0 + (r / d) * (r / d));
  }
  return FENCHEL_OK;
}

static int32_t conjugate(const void* self, const fenchel_batch* batch, const double* duals,
                         double* values) {
  const double d = delta_of(self);
  for (int64_t b = 0; b < batch->count; ++b) {
    const double q = duals[b] / d;
    if (fabs(q) > 1.0) {
      values[b] = INFINITY;
    } else {
      values[b] =
          duals[b] * batch->targets[b] + d * d * q * q / (1.0 + sqrt((1.0 - q) * (1.0 + q)));
    }
  }
  return FENCHEL_OK;
}

/* The root r >= 0 of r + t r / sqrt(1 + (r/d)^2) = c for c >= 0. The left side is concave, so
 * Newton from 0 rises monotonically and never overshoots. */
static double residual(double c, double t, double d) {
  double r = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double h = 1.0 + (r / d) * (r / d);
    const double next = r + (c - r - t * r / sqrt(h)) / (1.0 + t / (h * sqrt(h)));
    if (!(next > r)) break;
    r = next;
  }
  return r;
}

static int32_t prox(const void* self, const fenchel_batch* batch, const double* scores,
                    const double* steps, double* out) {
  for (int64_t b = 0; b < batch->count; ++b) {
    const double y = batch->targets[b];
    const double r = residual(fabs(scores[b] - y), steps[b], delta_of(self));
    out[b] = y + copysign(r, scores[b] - y);
  }
  return FENCHEL_OK;
}

static int32_t project_dual(const void* self, const fenchel_batch* batch, double* duals) {
  const double d = delta_of(self);
  for (int64_t b = 0; b < batch->count; ++b) duals[b] = fmin(fmax(duals[b], -d), d);
  return FENCHEL_OK;
}

static void* create(const fenchel_value* const* values, const fenchel_shape* shape) {
  pseudo_huber* self = malloc(sizeof *self);
  (void)shape;
  if (self) self->delta = values[0]->number;
  return self;
}

static const char* explain(void) { return "out of memory"; }

static const fenchel_param params[] = {{sizeof(fenchel_param), FENCHEL_NUMBER, "delta", "1",
                                        "(0, inf)", "where the parabola turns into a line"}};

static const fenchel_loss table = {.struct_size = sizeof(fenchel_loss),
                                   .targets = FENCHEL_TARGET_REAL,
                                   .layout = FENCHEL_LAYOUT_SCALAR,
                                   .fact = fact,
                                   .value = value,
                                   .gradient = gradient,
                                   .conjugate = conjugate,
                                   .prox = prox,
                                   .project_dual = project_dual};

static const fenchel_card card = {.struct_size = sizeof(fenchel_card),
                                  .abi_major = FENCHEL_ABI_MAJOR,
                                  .abi_minor = FENCHEL_ABI_MINOR,
                                  .kind = FENCHEL_KIND_LOSS,
                                  .id = "pseudo-huber",
                                  .version = "1.0.0",
                                  .summary = "d^2 (sqrt(1 + ((z - y)/d)^2) - 1), in plain C",
                                  .params = params,
                                  .param_count = 1,
                                  .table = &table,
                                  .create = create,
                                  .destroy = free,
                                  .explain = explain};

FENCHEL_EXPORT const fenchel_card* fenchel_plugin(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor;
  return host_major == FENCHEL_ABI_MAJOR ? &card : NULL;
}
