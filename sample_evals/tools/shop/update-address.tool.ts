import { z } from 'zod';
import { ORDER_ID } from './words.js';

export const updateAddress = {
  name: 'update_address',
  description:
    'Changes the delivery address of an order that has not shipped. ' +
    'Use when the user moved house or typed a wrong street.',
  version: '1.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    order_id: z.string().describe(ORDER_ID),
    address: z.string().describe('New street, postcode and city'),
  }),
};
