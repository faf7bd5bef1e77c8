DROP INDEX `sessions_figures_wait`;--> statement-breakpoint
CREATE INDEX `sessions_clock_waits` ON `sessions` (`charge_point_id`) WHERE state IN ('completed', 'failed') AND coalesce(json_extract(facts, '$.figuresDueAt'), json_extract(facts, '$.settlementDueAt')) IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `automatic_settlement` integer;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `signature_scheme` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `verify` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `rate_per_minute` integer;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `rate_spent` text;