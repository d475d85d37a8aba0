// @ts-check
// `npm run build`: builds the library, the demo and the conformance fixture.
import { build } from "./setup.mjs";

build();
