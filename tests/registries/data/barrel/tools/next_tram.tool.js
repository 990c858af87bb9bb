const STOPS = ['harbour', 'market', "king's gate"];

export const tramTool = {
  name: 'next_tram',
  description: `When the next tram leaves.\nStops: ${STOPS.join(', ')}.`,
  schema: { stop: { type: 'string', enum: STOPS, required: true }, line: { type: 'string' } },
  category: 'read',
  version: '2.0.1',
  status: 'deprecated',
};
