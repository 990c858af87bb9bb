import { z } from 'zod';
import { EVENT_ID } from './words.js';

export const inviteGuest = {
  name: 'invite_guest',
  description: `Invites a person to a meeting by e-mail. Use when the user wants to add somebody to a meeting.`,
  version: '1.0.0',
  category: 'calendar',
  status: 'active',
  schema: z.object({
    event_id: z.string().describe(EVENT_ID),
    email: z.string().describe('E-mail address of the guest'),
  }),
};
