export const ORDER_ID = 'Order number, for example SO-1042';
