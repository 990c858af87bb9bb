import { z } from 'zod';
import { EVENT_ID } from './words.js';

export const cancelEvent = {
  name: 'cancel_event',
  description: `Removes a meeting from the calendar and tells its guests. Use when a meeting is called off.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    event_id: z.string().describe(EVENT_ID),
  }),
};
