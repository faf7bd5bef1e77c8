CREATE TABLE `afir_pushes` (
	`record_version` integer NOT NULL,
	`url` text PRIMARY KEY NOT NULL,
	`confirmed_at` integer NOT NULL,
	`deltas` integer NOT NULL,
	`snapshot_at` integer NOT NULL
);
