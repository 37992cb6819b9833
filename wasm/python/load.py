def _load(sources):
    """Runs the prelude's sources (name to text) as the package `_belljar`, and tells the host where to find `turn`.

    Each module gets builtins of its own, so that code which rebinds `builtins.len` harms no one but itself;
    and none stays in sys.modules, since nothing imports them later. For the same reason each has, of the library's
    modules that it asks for their names alone, copies as they are now.
    """
    import builtins
    import importlib.machinery
    import sys
    import types

    asked = {
        "__future__", "array", "ast", "base64", "collections", "dataclasses", "datetime", "decimal", "enum", "errno", "fractions",
        "functools", "io", "linecache", "math", "re", "traceback", "types",
    }
    copies = {}

    def copy(module):
        name = module.__name__
        if name not in copies:
            copies[name] = types.ModuleType(name)
            vars(copies[name]).update(vars(module))
        return copies[name]

    class Loader:
        def create_module(self, spec):
            return None

        def exec_module(self, module):
            module.__dict__["__builtins__"] = dict(vars(builtins))
            if module.__name__ == "_belljar":
                return
            name = module.__name__.partition(".")[2]
            exec(compile(sources[name], f"<belljar>/{name}.py", "exec", dont_inherit=True), module.__dict__)
            for name, value in list(vars(module).items()):
                if type(value) is types.ModuleType and value.__name__ in asked:
                    setattr(module, name, copy(value))

    class Finder:
        def find_spec(self, name, path=None, target=None):
            package, _, rest = name.partition(".")
            if package != "_belljar":
                return None
            return importlib.machinery.ModuleSpec(name, Loader(), is_package=not rest)

    finder = Finder()
    sys.meta_path.insert(0, finder)
    from _belljar.turn import ready

    sys.meta_path.remove(finder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "_belljar"]:
        del sys.modules[name]
    ready()


