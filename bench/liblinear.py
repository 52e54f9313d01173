"""LIBLINEAR 2.3 inside this process, so that training can be timed apart from reading."""

import ctypes
import ctypes.util
import time

import numpy

HINGE_DUAL, CRAMMER_SINGER, LOGISTIC_DUAL = 3, 4, 7


class _Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


class _Problem(ctypes.Structure):
    _fields_ = [("l", ctypes.c_int), ("n", ctypes.c_int), ("y", ctypes.POINTER(ctypes.c_double)),
                ("x", ctypes.POINTER(ctypes.c_void_p)), ("bias", ctypes.c_double)]


class _Parameter(ctypes.Structure):
    _fields_ = [("solver_type", ctypes.c_int), ("eps", ctypes.c_double), ("C", ctypes.c_double),
                ("nr_weight", ctypes.c_int), ("weight_label", ctypes.c_void_p), ("weight", ctypes.c_void_p),
                ("p", ctypes.c_double), ("init_sol", ctypes.c_void_p)]


class _Model(ctypes.Structure):
    _fields_ = [("param", _Parameter), ("nr_class", ctypes.c_int), ("nr_feature", ctypes.c_int),
                ("w", ctypes.POINTER(ctypes.c_double)), ("label", ctypes.POINTER(ctypes.c_int)),
                ("bias", ctypes.c_double)]


_PRINT = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


class Liblinear:
    """One data set, ready to be trained on again and again."""

    def __init__(self, x, y):
        self.library = ctypes.CDLL(ctypes.util.find_library("linear") or "liblinear.so.4")
        self.library.train.restype = ctypes.POINTER(_Model)
        x = x.tocsr()
        n, d = x.shape
        counts = numpy.diff(x.indptr)
        ends = numpy.cumsum(counts + 1) - 1  # each row is closed by a node of index -1
        nodes = numpy.zeros(x.nnz + n, dtype=numpy.dtype([("index", "i4"), ("value", "f8")], align=True))
        at = numpy.arange(x.nnz) + numpy.repeat(numpy.arange(n), counts)
        nodes["index"][at] = x.indices + 1
        nodes["value"][at] = x.data
        nodes["index"][ends] = -1
        starts = nodes.ctypes.data + (ends - counts) * nodes.itemsize
        self.keep = (nodes, starts.astype(numpy.uint64), numpy.ascontiguousarray(y, dtype=float))
        self.problem = _Problem(n, d, self.keep[2].ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                                self.keep[1].ctypes.data_as(ctypes.POINTER(ctypes.c_void_p)), -1.0)
        self.said = []
        self.listener = _PRINT(lambda text: self.said.append(text.decode()))
        self.library.set_print_string_function(self.listener)

    def train(self, solver, c, tolerance):
        """Seconds, weights of shape [classes, d] (one row for two classes), labels, ran into its limit."""
        self.said.clear()
        parameter = _Parameter(solver, tolerance, c, 0, None, None, 0.1, None)
        start = time.perf_counter()
        model = self.library.train(ctypes.byref(self.problem), ctypes.byref(parameter))
        seconds = time.perf_counter() - start
        m = model.contents
        outputs = m.nr_class if m.nr_class > 2 or solver == CRAMMER_SINGER else 1
        w = numpy.ctypeslib.as_array(m.w, shape=(m.nr_feature, outputs)).T.copy()
        labels = [m.label[k] for k in range(m.nr_class)]
        self.library.free_and_destroy_model(ctypes.byref(model))
        return seconds, w, labels, "reaching max number" in "".join(self.said)
