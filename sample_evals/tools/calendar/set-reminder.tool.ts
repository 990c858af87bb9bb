import { z } from 'zod';
import { EVENT_ID } from './words.js';

export const setReminder = {
  name: 'set_reminder',
  description: `Sets a reminder some minutes before a meeting starts. Use when the user wants to be reminded or notified.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    event_id: z.string().describe(EVENT_ID),
    minutes: z.number().describe('Minutes before the start'),
  }),
};
