import { z } from 'zod';
import { ORDER_ID } from './words.js';

export const findOrder = {
  name: 'find_order',
  description:
    'Looks up one order by its number and shows its items, total and payment state. ' +
    'Use when the user asks what is in an order, what it cost, or where an order stands.',
  version: '1.2.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    order_id: z.string().describe(ORDER_ID),
  }),
};
