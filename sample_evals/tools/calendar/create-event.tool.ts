import { z } from 'zod';

export const createEvent = {
  name: 'create_event',
  description: `Puts a new meeting into the calendar. Use when the user wants to schedule, book or plan a meeting.`,
  version: '1.3.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    title: z.string().describe('What the meeting is about'),
    date: z.string().describe('Day, as a date or a word such as tomorrow'),
    time: z.string().describe('Start time, for example 14:30').optional(),
  }),
};
