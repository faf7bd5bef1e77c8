/** drizzle-kit looks at what a file exports: the tables of all records, each by its name. */
Object.assign(exports, require('./scripts/record-tables.ts').RECORD_TABLES)
