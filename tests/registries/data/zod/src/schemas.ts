import * as z from "zod/v4";

export enum Ordering {
  Newest = "newest",
  Oldest = "oldest",
}

export const lookUp = z.object({
  reader: z.string().describe("Number on the card"),
  note: z.string().optional(),
});
export type LookUp = z.infer<typeof lookUp>;
