import { z } from 'zod';
import { ORDER_ID } from './words.js';

export const cancelOrder = {
  name: 'cancel_order',
  description:
    'Cancels an order that has not shipped yet. ' +
    'Use when the user wants to cancel or call off a purchase. Not for returns: use refund_order instead.',
  version: '1.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    order_id: z.string().describe(ORDER_ID),
    reason: z.string().describe('Why the customer cancels').optional(),
  }),
};
