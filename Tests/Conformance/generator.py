"""Random cases: a definition, a key, a context and a time. The same seed gives the same cases."""

import random

NOW = 1_767_225_600

STRINGS = [
    "", " ", "a", "abc", "ABC", "hello world", "on", "off", "true", "false", "null", "0", "1", "-1", "10", "9",
    "1.5", " 12 ", "1e3", "0x10", "1.5abc", "Infinity", "é", "e\u0301", "ß", "日本語", "😀", "x😀y", "\uffee",
    "\u0000z", "@example.com", "a@example.com", "ünï@exämple.de", "de", "DE", "1.2.3", "v1.2", "2.0.0-rc.1",
]
NUMBERS = [0, 1, -1, 2, 3, 5, 7, 10, -7, 42, 100, 1000, 0.5, 1.5, -0.25, 2.0, -0.0, 1e15, 1e-7, 0.1, 0.2, 1e21,
           2147483648, 9007199254740991]
VERSIONS = ["1.2.3", "v1.2.3", "V2", "1", "1.2", "1.2.3-rc.1", "1.2.3-rc.2", "1.2.3-alpha", "1.2.3-1", "1.2.3+build5",
            "2.0.0", "10.0.0", "0.9.9", "01.0.0", "1.0.0.0", "", "abc", "1.0-beta", "vv1.0.0", "99999999999999999999.0.0",
            "1.2.3-rc.01", "1.2.3-"]
VERSION_OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "^", "~", "==", ""]
PATHS = ["email", "age", "score", "country", "tier", "version", "beta", "tags", "nums", "user", "user.name", "user.id",
         "user.address.city", "user.tags", "user.tags.0", "tags.0", "tags.length", "nums.1", "email.length", "email.0",
         "missing", "missing.path", "nul", "empty", "zero", "targetingKey", "count", "list", "list.1.q", "a.", ".a",
         "tags.01", "$flagd.flagKey", "$flagd.timestamp"]
COMPARISONS = ["==", "!=", "===", "!==", "<", "<=", ">", ">="]
ARITHMETIC = ["+", "-", "*", "/", "%", "min", "max"]


class Generator:
    """Makes cases one after the other."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0
        self.evaluators = {}

    def choice(self, *options):
        return self.random.choice(options)

    def chance(self, probability):
        return self.random.random() < probability

    # Values and contexts

    def scalar(self):
        kind = self.random.random()
        if kind < 0.4:
            return self.random.choice(STRINGS)
        if kind < 0.75:
            return self.random.choice(NUMBERS)
        return self.random.choice([True, False, None])

    def literal(self):
        kind = self.random.random()
        if kind < 0.85:
            return self.scalar()
        if kind < 0.97:
            return [self.scalar() for _ in range(self.random.randrange(4))]
        return {"x": self.scalar(), "y": self.scalar()}

    def context(self):
        every = {
            "targetingKey": self.random.choice(["u%d" % self.random.randrange(100_000), "user-é", "user-😀", "a b", ""]),
            "email": self.random.choice(["a@example.com", "b@faas.com", "c@Example.com", "ünï@exämple.de", ""]),
            "age": self.random.choice([0, 17, 18, 42, 65.5, 100]),
            "score": self.random.choice(NUMBERS),
            "country": self.random.choice(["de", "DE", "us", "fr", ""]),
            "tier": self.random.choice(["free", "silver", "gold"]),
            "version": self.random.choice(VERSIONS + [1, 1.2, None]),
            "beta": self.chance(0.5),
            "tags": [self.random.choice(["a", "b", "ü", "1", ""]) for _ in range(self.random.randrange(4))],
            "nums": [self.random.choice(NUMBERS) for _ in range(self.random.randrange(5))],
            "user": {"name": self.random.choice(["jack", "李", "ünal"]), "id": self.random.choice([1, 42, -5]),
                     "address": {"city": self.random.choice(["Berlin", "Zürich", ""])}, "tags": ["t0", "t1"]},
            "nul": None, "empty": "", "zero": 0, "count": self.random.randrange(60),
            "list": [{"q": 1}, {"q": 2}],
        }
        return {name: value for name, value in every.items() if self.chance(0.8)}

    # Rules

    def variable(self):
        path = self.random.choice(PATHS)
        kind = self.random.random()
        if kind < 0.6:
            return {"var": path}
        if kind < 0.8:
            return {"var": [path]}
        return {"var": [path, self.scalar()]}

    def operand(self, depth):
        kind = self.random.random()
        if depth <= 0 or kind < 0.35:
            return self.literal()
        if kind < 0.7:
            return self.variable()
        return self.operation(depth - 1)

    def array(self, depth):
        kind = self.random.random()
        if kind < 0.6:
            return {"var": self.random.choice(["tags", "nums", "list", "user.tags", "missing", "email"])}
        if kind < 0.8:
            return [self.operand(depth - 1) for _ in range(self.random.randrange(4))]
        return {"merge": [self.operand(depth - 1) for _ in range(self.random.randrange(3))]}

    def body(self, depth):
        """What an iterating operator does with its element."""
        element = self.random.choice([{"var": ""}, {"var": "q"}, {"var": "length"}, {"var": []}, self.scalar()])
        if self.chance(0.3):
            return element
        name = self.random.choice(COMPARISONS + ARITHMETIC + ["in", "cat", "!", "!!"])
        return {name: [element, self.operand(depth - 1)]}

    def operation(self, depth):
        """Any operation; the more common ones more often."""
        name = self.random.choice([
            "compare", "compare", "arithmetic", "if", "and", "or", "!", "!!", "in", "cat", "substr", "missing",
            "missing_some", "merge", "iterate", "iterate", "reduce", "starts_with", "ends_with", "sem_ver", "between",
            "fractional", "var", "ref", "log",
        ])
        return getattr(self, "make_" + {"!": "not", "!!": "truthy"}.get(name, name))(depth)

    def operands(self, depth, least, most):
        return [self.operand(depth) for _ in range(self.random.randint(least, most))]

    def make_compare(self, depth):
        return {self.random.choice(COMPARISONS): self.operands(depth, 2, 2)}

    def make_between(self, depth):
        return {self.random.choice(["<", "<=", ">", ">="]): self.operands(depth, 3, 3)}

    def make_arithmetic(self, depth):
        name = self.random.choice(ARITHMETIC)
        return {name: self.operands(depth, 1, 3 if name in ("+", "*", "min", "max") else 2)}

    def make_if(self, depth):
        return {self.choice("if", "if", "?:"): self.operands(depth, 1, 5)}

    def make_and(self, depth):
        return {"and": self.operands(depth, 1, 3)}

    def make_or(self, depth):
        return {"or": self.operands(depth, 1, 3)}

    def make_not(self, depth):
        return {"!": self.operand(depth) if self.chance(0.3) else [self.operand(depth)]}

    def make_truthy(self, depth):
        return {"!!": [self.operand(depth)]}

    def make_in(self, depth):
        return {"in": [self.operand(depth), self.array(depth) if self.chance(0.5) else self.operand(depth)]}

    def make_cat(self, depth):
        return {"cat": self.operands(depth, 1, 3)}

    def make_substr(self, depth):
        rest = [self.random.randint(-8, 8) for _ in range(self.random.randint(1, 2))]
        return {"substr": [self.operand(depth), *rest]}

    def make_missing(self, depth):
        paths = [self.random.choice(PATHS) for _ in range(self.random.randint(1, 3))]
        return {"missing": self.choice(paths, [paths], paths[0])}

    def make_missing_some(self, depth):
        return {"missing_some": [self.random.randint(0, 3), [self.random.choice(PATHS) for _ in range(3)]]}

    def make_merge(self, depth):
        return {"merge": self.operands(depth, 1, 3)}

    def make_iterate(self, depth):
        name = self.random.choice(["filter", "map", "all", "none", "some"])
        return {name: [self.array(depth), self.body(depth)]}

    def make_reduce(self, depth):
        name = self.random.choice(["+", "*", "max", "cat"])
        body = {name: [{"var": "current"}, {"var": "accumulator"}]}
        initial = self.variable() if self.chance(0.1) else self.scalar()
        return {"reduce": [self.array(depth), body, initial]}

    def make_starts_with(self, depth):
        return self.affix("starts_with", depth)

    def make_ends_with(self, depth):
        return self.affix("ends_with", depth)

    def affix(self, name, depth):
        if self.chance(0.1):
            return {name: self.operands(depth, 1, 3)}
        text = self.choice({"var": "email"}, {"var": "user.name"}, self.random.choice(STRINGS), self.operand(depth))
        return {name: [text, self.random.choice(STRINGS + ["@example.com", "a", "ü"])]}

    def make_sem_ver(self, depth):
        if self.chance(0.05):
            return {"sem_ver": self.operands(depth, 1, 4)}
        left = self.choice({"var": "version"}, self.random.choice(VERSIONS))
        return {"sem_ver": [left, self.random.choice(VERSION_OPERATORS), self.random.choice(VERSIONS)]}

    def make_var(self, depth):
        return self.variable()

    def make_log(self, depth):
        return {"log": [self.operand(depth)]}

    def make_ref(self, depth):
        name = self.choice("is_x", "is_y", "unknown") if self.chance(0.1) else self.choice("is_x", "is_y")
        self.evaluators.setdefault("is_x", {"in": ["@example.com", {"var": ["email"]}]})
        self.evaluators.setdefault("is_y", {"==": [{"var": "tier"}, "gold"]})
        return {"$ref": name}

    def make_fractional(self, depth, names=(True, False, "a", None)):
        entries = []
        for _ in range(self.random.randint(1, 4)):
            weight = self.choice(0, 1, 10, 25, 50, 100, -5, 2147483647)
            if self.chance(0.15):
                weight = self.choice(1.5, "1", None, True, 2.0, {"if": [{"var": "beta"}, 30, 0]}, {"/": [4, 2]},
                                     {"-": [NOW + 700, {"var": "$flagd.timestamp"}]}, 2147483648)
            name = self.random.choice(names)
            entries.append([name] if self.chance(0.2) else [name, weight])
        if self.chance(0.03):
            entries.append(self.choice("x", [], ["a", 1, 2], 3))
        seed = self.random.random()
        if seed < 0.35:
            return {"fractional": entries}
        seeds = [{"var": "email"}, {"var": "targetingKey"}, {"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]},
                 {"cat": ["shared", {"var": "user.id"}]}, "literal", {"var": "user.name"}]
        if self.chance(0.3):
            seeds = [{"var": "age"}, {"var": "beta"}, {"var": "user"}, {"var": "tags"}, {"var": "score"}, {"var": "nul"},
                     {"var": "missing"}, 7, True, {"+": [{"var": "count"}, 0.5]}]
        return {"fractional": [self.random.choice(seeds), *entries]}

    # Flags

    def targeting(self, names):
        kind = self.random.random()
        outcome = lambda: self.random.choice([*names, *names, *names, None, "no-such-variant" if self.chance(0.1) else None])
        if kind < 0.6:
            branches = []
            for _ in range(self.random.randint(1, 2)):
                branches += [self.operation(3), outcome()]
            return {"if": branches + ([outcome()] if self.chance(0.6) else [])}
        if kind < 0.75:
            return self.make_fractional(2, names)
        if kind < 0.8:
            return {"if": [self.operation(2), self.make_fractional(2, names), outcome()]}
        if kind < 0.84:
            return {"if": [self.operation(2), {"nosuch": [1]}, outcome()]}
        return self.operation(3)

    def variants(self):
        return self.random.choice([
            {"on": True, "off": False}, {"true": True, "false": False}, {"a": "x", "b": "", "c": "é"},
            {"one": 1, "ten": 10, "1": 2, "true": 3}, {"half": 0.5, "one": 1.0, "big": 9007199254740991},
            {"a": {"x": 1, "l": [1, "2", None]}, "b": {}, "c": {"n": {"d": False}}}, {"red": "#f00", "0": "zero"},
        ])

    def metadata(self):
        every = {"flagSetId": "set-%d" % self.random.randrange(3), "version": "v1", "owner": "team", "n": 1, "b": True}
        return {name: value for name, value in every.items() if self.chance(0.4)}

    def flag(self):
        variants = self.variants()
        names = list(variants)
        flag = {"state": "DISABLED" if self.chance(0.04) else "ENABLED", "variants": variants}
        default = self.random.random()
        if default < 0.85:
            flag["defaultVariant"] = self.random.choice(names)
        elif default < 0.93:
            flag["defaultVariant"] = self.choice(None, "", "no-such-variant")
        elif default < 0.95:
            flag["defaultVariant"] = self.chance(0.5)
        targeting = self.random.random()
        if targeting < 0.92:
            flag["targeting"] = self.targeting(names)
        elif targeting < 0.96:
            flag["targeting"] = self.choice({}, None)
        if self.chance(0.3):
            flag["metadata"] = self.metadata()
        return flag

    def case(self):
        self.number += 1
        self.evaluators = {}
        key = self.choice("flag-%d", "новый-%d", "f/%d x", "flag.%d") % self.number
        definition = {"flags": {key: self.flag()}}
        if self.chance(0.1):
            definition["flags"]["zz-other"] = self.flag()
        if self.evaluators:
            definition["$evaluators"] = self.evaluators
        if self.chance(0.2):
            definition["metadata"] = self.metadata()
        asked = "no-such-flag" if self.chance(0.02) else key
        return {"flags": definition, "key": asked, "context": self.context(), "now": NOW + self.random.randrange(1000)}
