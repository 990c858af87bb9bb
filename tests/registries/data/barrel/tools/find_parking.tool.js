export const parkingTool = {
  name: 'find_parking',
  description:
    'Lists free parking near an address. Use when somebody asks where to park. Source: city sensors.',
  schema: {
    address: { type: 'string', description: 'Street and number' },
    radius: { type: 'int', optional: true },
    covered: { type: 'boolean', default: false }
  },
  category: 'read',
  requiresConfirmation: false,
  timeout: 8000,
  version: '1.4.0',
  status: 'active',

  async execute(params, _context) {
    return { tool: 'find_parking', address: params.address };
  }
};
