export interface Tool { name: string; description: string; version?: string }
