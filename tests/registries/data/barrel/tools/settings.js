export const CURRENCY = 'EUR';
export const limits = Object.freeze({ perOrder: 5, perDay: 4 * 5 });
