DROP INDEX `tariffs_account`;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `name` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `vat` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `elements` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `tax_included` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `min_price` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `max_price` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `type` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `tariff_alt_text` text;--> statement-breakpoint
CREATE UNIQUE INDEX `tariffs_account` ON `tariffs` (`account_id`) WHERE charge_point_id IS NULL AND coalesce(name, '') = '' AND elements IS NULL;