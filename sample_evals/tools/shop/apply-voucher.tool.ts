import { z } from 'zod';

export const applyVoucher = {
  name: 'apply_voucher',
  description:
    'Applies a voucher code to the basket and shows the new total. ' +
    'Use when the user has a discount code, coupon or voucher.',
  version: '1.0.0',
  category: 'shop',
  status: 'active',
  schema: z.object({
    code: z.string().describe('Voucher code, for example SPRING10'),
  }),
};
