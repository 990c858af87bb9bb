const { words } = require('./words.cjs');
module.exports = {
  name: 'rate_history',
  description: words.join(' ').replace('rates', 'exchange rates'),
  params: [
    { name: 'pair', type: 'string', required: true },
    { name: 'days', type: 'number', description: 'How far back' },
  ],
};
