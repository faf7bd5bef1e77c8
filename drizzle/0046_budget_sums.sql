CREATE TABLE `budget_sums` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id_token` text NOT NULL,
	`per` text NOT NULL,
	`period_from` integer NOT NULL,
	`currency` text NOT NULL,
	`energy_milli_wh` integer NOT NULL,
	`cost_micros` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id_token`, `per`, `period_from`, `currency`)
);
--> statement-breakpoint
CREATE INDEX `budget_sums_changed_at` ON `budget_sums` (`changed_at`);--> statement-breakpoint
DROP TABLE `budget_uses`;