import { CURRENCY, limits } from './settings.js';

const intro = 'Buys a tram ticket';

export const buyTicketTool = {
  name: 'buy_ticket',
  description: intro + ' in ' + CURRENCY + ', at most ' + limits.perOrder + ' at a time.',
  parameters: {
    type: 'object',
    properties: { count: { type: 'integer', maximum: limits.perOrder } },
    required: ['count'],
  },
  category: 'write',
  version: '1.0.0',
};

export const refundTicketTool = {
  name: 'refund_ticket',
  description: describeRefund(limits),
  parameters: { type: 'object', properties: { id: { type: 'string', pattern: process.env.TICKET } } },
  version: '0.9.0',
  status: 'removed',
};
