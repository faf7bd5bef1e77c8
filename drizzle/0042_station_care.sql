CREATE TABLE `station_care` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
