"""What kerf's target uses of Symbiotic's base class, for machines without Symbiotic."""


class SymbioticBaseTool(object):
    def __init__(self, opts):
        self._options = opts
