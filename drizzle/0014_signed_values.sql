CREATE TABLE `meter_keys` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`station` text NOT NULL,
	`place` integer NOT NULL,
	`at` integer NOT NULL,
	`public_key` text NOT NULL,
	`command_id` integer,
	PRIMARY KEY(`account_id`, `station`, `place`, `at`)
);
--> statement-breakpoint
CREATE TABLE `meters` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`place` integer NOT NULL,
	`public_key` text NOT NULL,
	`key_bytes` text NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `place`)
);
--> statement-breakpoint
CREATE TABLE `signed_values` (
	`record_version` integer NOT NULL,
	`session_id` text NOT NULL,
	`station` text NOT NULL,
	`at` integer NOT NULL,
	`digest` text NOT NULL,
	`transaction_id` text,
	`place` integer NOT NULL,
	`context` text NOT NULL,
	`encoding_method` text,
	`signing_method` text,
	`data` text NOT NULL,
	`public_key` text,
	`command_id` integer NOT NULL,
	`stored_at` integer NOT NULL,
	PRIMARY KEY(`session_id`, `station`, `at`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `signed_values_stored_at` ON `signed_values` (`stored_at`);