import { openAsset } from "../engine/assets.ts";
import { type Room, roomFor, unpackBlocks } from "../engine/blocks.ts";
import type { Image } from "../engine/image.ts";
import { decodeImage } from "../engine/image-file.ts";

/** A line that imports one of these, or what stands on them. */
const importOf = (names: string): RegExp => new RegExp(`^[ \\t]*(?:import|from)[ \\t]+[^\\n#]*\\b(?:${names})\\b`, "m");

/**
 * The images of Python, from the smallest: each holds what the ones before it hold, and what `imports`
 * brings. Code that `suits` matches starts from the image: a matter of speed alone.
 */
export const PYTHON_IMAGES = [
  { name: "bare", imports: "", suits: /^/ },
  {
    name: "data",
    imports: "import numpy, pandas",
    suits: importOf("numpy|pandas"),
  },
  {
    name: "plots",
    imports: "import matplotlib.pyplot, matplotlib.backends.backend_agg; matplotlib.pyplot.figure().canvas.draw(); matplotlib.pyplot.close('all')",
    // Tables draw themselves, and import matplotlib for it.
    suits: new RegExp(`${importOf("matplotlib").source}|\\.(?:plot|hist|boxplot)\\b`, "m"),
  },
  {
    // What takes seconds to import, up to ten of them for one line.
    name: "science",
    imports: `import scipy.integrate, scipy.interpolate, scipy.optimize, scipy.signal, scipy.spatial, scipy.stats
import sklearn.cluster, sklearn.compose, sklearn.datasets, sklearn.decomposition, sklearn.ensemble, sklearn.linear_model
import sklearn.metrics, sklearn.model_selection, sklearn.neighbors, sklearn.pipeline, sklearn.preprocessing, sklearn.tree
import statsmodels.api, statsmodels.formula.api, seaborn, networkx, sympy`,
    suits: importOf("scipy|sklearn|statsmodels|patsy|seaborn|networkx|sympy|mpmath"),
  },
] as const;

export type PythonImage = (typeof PYTHON_IMAGES)[number]["name"];

/** The largest image that fits and code has a use for; a sandbox that is kept will most often want data sooner or later. */
export function imageFor(code: string, fits: (name: PythonImage) => boolean, kept = false): PythonImage {
  const wanted = PYTHON_IMAGES.findLastIndex(({ name, suits }) => suits.test(code) || (kept && name === "data"));
  return PYTHON_IMAGES.findLast(({ name }, at) => at <= wanted && fits(name))?.name ?? "bare";
}

/**
 * The name of the asset that holds an image. The one that every start needs is stored as it is, the others as blocks, which
 * cost their unpacking once, when the first code that imports what they hold comes.
 */
export function imageAsset(name: string): string {
  return name === PYTHON_IMAGES[0].name ? `python-${name}.image` : `python-${name}.blocks`;
}

/** The assets of those stored as blocks. */
export const PACKED_IMAGES = PYTHON_IMAGES.slice(1).map(({ name }) => imageAsset(name));

/** Reads images as they are asked for; all are views of the assets, or of the rooms they were unpacked into. */
export function imageReader(rooms: Readonly<Record<string, Room>>): (name: string) => Image {
  const read = new Map<string, Image>();
  return function imageOf(name): Image {
    const known = read.get(name);
    if (known !== undefined) return known;
    const at = PYTHON_IMAGES.findIndex((image) => image.name === name);
    const below = PYTHON_IMAGES[at - 1];
    const asset = openAsset(imageAsset(name));
    const file = below === undefined ? asset : unpackBlocks(asset, rooms[imageAsset(name)] ?? roomFor(asset));
    const image = decodeImage(file, below && imageOf(below.name));
    read.set(name, image);
    return image;
  };
}
