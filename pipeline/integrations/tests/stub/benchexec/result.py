"""The results that BenchExec knows."""

RESULT_DONE = "done"
RESULT_UNKNOWN = "unknown"
RESULT_TIMEOUT = "TIMEOUT"
RESULT_ERROR = "ERROR"
RESULT_TRUE_PROP = "true"
RESULT_FALSE_PROP = "false"
RESULT_FALSE_REACH = "false(unreach-call)"
