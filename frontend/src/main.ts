import { CaesarPanel } from "./panel";
import { define } from "./parts/element";

define("caesar-panel", CaesarPanel);
