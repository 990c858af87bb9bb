import { z } from "zod";
import { lookUp, Ordering } from "@/schemas";
import pkg from "../../package.json" with { type: "json" };
import type { Tool } from "./types";

export const searchBooks: Tool = {
  name: "search_books",
  version: pkg.version,
  description: "Searches the library's catalogue.",
  inputSchema: z
    .object({
      query: z.string().trim().min(2, "too short").max(80).describe("Words of the title"),
      shelf: z.enum(["fiction", "science", "children"]).optional().describe("Where it stands"),
      order: z.nativeEnum(Ordering).default(Ordering.Newest),
      year: z.number().int().gte(1450).lte(2100).nullable(),
      page: z.coerce.number().positive().default(1),
      tags: z.array(z.string().regex(/^[a-z]+$/)).min(1).max(5).nullish(),
      kind: z.literal("book"),
      medium: z.union([z.literal("paper"), z.literal("audio")]),
      isbn: z.string().length(13).or(z.number()),
      filter: z.discriminatedUnion("by", [
        z.object({ by: z.literal("author"), author: z.string() }),
        z.object({ by: z.literal("publisher"), id: z.string().uuid() }).strict(),
      ]),
      extra: z.record(z.string(), z.unknown()).optional(),
      span: z.tuple([z.number(), z.number()]).optional(),
      since: z.date().optional(),
      contact: z.string().email().optional(),
      home: z.string().url().nullable().optional(),
    })
    .strict(),
  async execute() { return []; },
};

const base = lookUp.extend({ branch: z.string().describe("Branch " + "code") });

export const loanBook = {
  name: "loan_book",
  description: "Lends a book.",
  inputSchema: base.omit({ note: true }),
  execute: async () => ({}),
};
export const renewLoan = {
  name: "renew_loan",
  description: "Renews a loan.",
  inputSchema: base.partial().required({ reader: true }).passthrough(),
  execute: async () => ({}),
};
export const returnBook = {
  name: "return_book",
  description: "Takes a book back.",
  inputSchema: lookUp.pick({ reader: true }).merge(z.object({ damaged: z.boolean().default(false) })),
  execute: async () => ({}),
};
export const rateBook = {
  name: "rate_book",
  description: "Rates a book.",
  inputSchema: { ...lookUp.shape, stars: z.number().min(1).max(5).refine((n) => n !== 3) },
  execute: async () => ({}),
};
export const orderBook = {
  name: "order_book",
  description: "Orders a book from another library.",
  inputSchema: z.object({ when: z.date().default(() => new Date()), from: z.string() }),
  execute: async () => ({}),
};
