import { z } from "zod";
import { GardenTool } from "./base";
export class MowLawn extends GardenTool {
  constructor() {
    super({ name: "mow", description: "Mows the lawn.", version: "0.2.0" }, z.object({ height: z.number() }));
  }
}
