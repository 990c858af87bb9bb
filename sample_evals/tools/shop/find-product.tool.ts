import { z } from 'zod';

export const findProduct = {
  name: 'find_product',
  description:
    'Searches the catalogue for products by words, colour or price. ' +
    'Use when the user looks for something to buy.',
  version: '1.1.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    query: z.string().describe('Words to search for'),
    max_price: z.number().describe('Highest price in euros').optional(),
  }),
};
