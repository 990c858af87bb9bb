export const EVENT_ID = 'Meeting id, for example EV-17';
