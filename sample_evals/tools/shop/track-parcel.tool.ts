import { z } from 'zod';
import { ORDER_ID } from './words.js';

export const trackParcel = {
  name: 'track_parcel',
  description:
    'Shows where a parcel is and when it will be delivered. ' +
    'Use when the user asks about shipping, delivery, a courier, or where their order stands.',
  version: '1.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    order_id: z.string().describe(ORDER_ID),
  }),
};
