/**
 * A Python program as a plain notebook would run it: it prints what the code prints, then `repr` of the last
 * expression in one line (Jupyter's text/plain at its shortest), a line for each open figure, or Python's traceback.
 */
export function asPlainNotebook(code: string): string {
  return PYTHON.replace("SOURCE", () => JSON.stringify(code));
}

/** Figures are shown by their repr, as notebooks do beside the picture; the value of a plotting call is shown too. */
const PYTHON = `import ast as _ast, asyncio as _asyncio, inspect as _inspect, sys as _sys, traceback as _traceback
def _cell(source):
    names = {"__name__": "__main__"}
    flags = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    def run(code):
        value = eval(code, names)
        return _asyncio.get_event_loop().run_until_complete(value) if _inspect.iscoroutine(value) and code.co_flags & _inspect.CO_COROUTINE else value
    try:
        tree = compile(source, "<code>", "exec", flags | _ast.PyCF_ONLY_AST)
        last = _ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], _ast.Expr) and not source.rstrip().endswith(";") else None
        run(compile(tree, "<code>", "exec", flags))
        value = None if last is None else run(compile(last, "<code>", "eval", flags))
        if value is not None:
            print(repr(value))
    except BaseException as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next
        _traceback.print_exception(error)
    pyplot = _sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        figure = pyplot.figure(number)
        print(f"<Figure size {figure.bbox.width:g}x{figure.bbox.height:g} with {len(figure.axes)} Axes>")
    if pyplot:
        pyplot.close("all")
_cell(SOURCE)
`;
