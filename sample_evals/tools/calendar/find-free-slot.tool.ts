import { z } from 'zod';

export const findFreeSlot = {
  name: 'find_free_slot',
  description: `Finds a time at which everyone is free. Use when the user asks when people have time, or looks for a gap in the calendar.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    guests: z.array(z.string()).describe('Names of the people who must be free'),
    date: z.string().describe('Day to search').optional(),
  }),
};
