import FlagModel
