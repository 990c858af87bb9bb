// One export a tool.
export { parkingTool } from './find_parking.tool.js';
export { tramTool as streetcarTool } from './next_tram.tool.js';
export * from './tickets.tool.js';
