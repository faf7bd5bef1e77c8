CREATE TABLE `budget_uses` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id_token` text NOT NULL,
	`began_at` integer NOT NULL,
	`session_id` text NOT NULL,
	`energy_milli_wh` integer NOT NULL,
	`cost_micros` integer,
	`currency` text,
	PRIMARY KEY(`account_id`, `id_token`, `began_at`, `session_id`)
);
--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `session_limits` text;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `budget` text;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `priority` integer;