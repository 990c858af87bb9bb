import { z } from 'zod';

export const listEvents = {
  name: 'list_events',
  description: `Lists the meetings in the calendar on a day. Use when the user asks what is planned, what their schedule looks like, or which appointments they have.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    date: z.string().describe('Day, as a date or a word such as tomorrow'),
  }),
};
