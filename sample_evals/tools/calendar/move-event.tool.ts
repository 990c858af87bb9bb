import { z } from 'zod';
import { EVENT_ID } from './words.js';

export const moveEvent = {
  name: 'move_event',
  description: `Moves a meeting to another day or time. Use when the user wants to reschedule, postpone or bring forward a meeting.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    event_id: z.string().describe(EVENT_ID),
    date: z.string().describe('New day'),
  }),
};
