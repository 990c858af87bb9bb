// The one place that says which tools the agent has.
export { findOrder } from './shop/find-order.tool.js';
export { trackParcel } from './shop/track-parcel.tool.js';
export { cancelOrder } from './shop/cancel-order.tool.js';
export { refundOrder } from './shop/refund-order.tool.js';
export { findProduct } from './shop/find-product.tool.js';
export { checkStock } from './shop/check-stock.tool.js';
export { updateAddress } from './shop/update-address.tool.js';
export { applyVoucher } from './shop/apply-voucher.tool.js';
export { listEvents } from './calendar/list-events.tool.js';
export { createEvent } from './calendar/create-event.tool.js';
export { moveEvent } from './calendar/move-event.tool.js';
export { cancelEvent } from './calendar/cancel-event.tool.js';
export { findFreeSlot } from './calendar/find-free-slot.tool.js';
export { inviteGuest } from './calendar/invite-guest.tool.js';
export { setReminder } from './calendar/set-reminder.tool.js';
