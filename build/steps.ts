import { bundle } from "./bundle.ts";
import { check } from "./check.ts";
import { guests } from "./guests.ts";
import { identity } from "./identity.ts";
import { images } from "./images.ts";
import { meter } from "./meter.ts";
import { pack } from "./pack.ts";
import { shipped } from "./shipped.ts";
import type { Step } from "./step.ts";
import { threadCode } from "./thread-code.ts";
import { web } from "./web.ts";
import { wheel } from "./wheel.ts";

/** All steps, each after those it stands on. */
export const STEPS: readonly Step[] = [wheel, meter, guests, web, images, shipped, identity, bundle, threadCode, pack, check];
