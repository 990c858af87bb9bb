import { z } from 'zod';

export const checkStock = {
  name: 'check_stock',
  description:
    'Tells how many pieces of a product are in stock and in which warehouse. ' +
    'Use when the user asks whether something is available or in stock.',
  version: '1.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    product: z.string().describe('Product name or article number'),
  }),
};
