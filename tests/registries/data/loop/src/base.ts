export abstract class GardenTool { constructor(readonly info: object, readonly schema: unknown) {} }
