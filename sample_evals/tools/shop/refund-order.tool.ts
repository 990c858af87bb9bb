import { z } from 'zod';
import { ORDER_ID } from './words.js';

export const refundOrder = {
  name: 'refund_order',
  description:
    'Pays money back for an order that was delivered. ' +
    'Use when the user wants a refund, to return an item, or their money back.',
  version: '2.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    order_id: z.string().describe(ORDER_ID),
    amount: z.number().describe('Amount to pay back in euros; the whole order without it').optional(),
  }),
};
